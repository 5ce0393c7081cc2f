import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import { guard, partOf, settle } from '../../feeds/writer.ts';
import type { Micros } from '../../platform/time.ts';
import { FRAMES_SUFFIX, packed } from './frame-file.ts';
import { freePath } from './name.ts';
import { isOver, type Rotation } from './rotation.ts';
import { writeAll } from '../../platform/write-all.ts';

/** Most bytes buffered before they are compressed and written. */
const BUFFERED_MAX = 1 << 20;

export interface FramesSetup {
  readonly folder: string;
  readonly rotation: Rotation | undefined;
  readonly finished: (path: string, frames: number) => void;
}

interface File {
  readonly path: string;
  readonly descriptor: number;
  readonly beganAt: number;
  bytes: number;
  frames: number;
}

/**
 * Records the frames of the sockets as received, a JSON line each: `receivedAt` in microseconds and the
 * text of the `frame`. Files are zstd, in independent parts, so that a crash loses only frames after the
 * last flush.
 */
export class FrameRecorder {
  count = 0;
  readonly #setup: FramesSetup;
  #file: File | undefined;
  #lines: string[] = [];
  #buffered = 0;

  constructor(setup: FramesSetup) {
    this.#setup = setup;
  }

  take(frame: string, receivedAt: Micros): void {
    const file = this.#file;
    if (file !== undefined && isOver(this.#setup.rotation, file, receivedAt)) this.finish();
    this.#file ??= this.#begin(receivedAt);
    const line = `${JSON.stringify({ receivedAt, frame })}\n`;
    this.#lines.push(line);
    this.#buffered += line.length;
    this.#file.frames += 1;
    this.count += 1;
    if (this.#buffered >= BUFFERED_MAX) this.#write(this.#file);
  }

  flush(now: Micros): void {
    const file = this.#file;
    if (file === undefined) return;
    if (isOver(this.#setup.rotation, file, now)) {
      this.finish();
      return;
    }
    this.#write(file);
    guard(file.path, () => {
      fdatasyncSync(file.descriptor);
    });
  }

  finish(): void {
    const file = this.#file;
    if (file === undefined) return;
    this.#write(file);
    this.#file = undefined;
    guard(file.path, () => {
      settle(file.descriptor, file.path);
    });
    this.#setup.finished(file.path, file.frames);
  }

  /** Closes the file as it is, after a fault. */
  abandon(): void {
    if (this.#file !== undefined) closeSync(this.#file.descriptor);
    this.#file = undefined;
  }

  #begin(at: Micros): File {
    const path = freePath(this.#setup.folder, 'frames', at, FRAMES_SUFFIX);
    let descriptor = -1;
    guard(path, () => {
      descriptor = openSync(partOf(path), 'wx');
    });
    return { path, descriptor, beganAt: at, bytes: 0, frames: 0 };
  }

  #write(file: File): void {
    if (this.#lines.length === 0) return;
    const bytes = packed(zstdCompressSync(Buffer.from(this.#lines.join(''))));
    this.#lines = [];
    this.#buffered = 0;
    guard(file.path, () => {
      writeAll(file.descriptor, bytes);
    });
    file.bytes += bytes.length;
  }
}
