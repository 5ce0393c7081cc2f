/** Where the control API listens, and whom it obeys. */
export interface ControlSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Further names under which it may be called. */
  readonly hosts: readonly string[];
  /** Folder of the bot, where the token is kept that nobody gave. */
  readonly data: string;
  /** Absent: made, and kept in the folder. */
  readonly token?: string | undefined;
}
