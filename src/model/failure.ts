/** An error as plain data. */
export interface Failure {
  /** The stable code of a MillraceError. */
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
}

/** A thrown value as plain data; any value can be thrown, and reading it may fail. */
export function failureOf(error: unknown): Failure {
  try {
    if (!(error instanceof Error)) return { message: thrownText(error) };
    const { message, stack, name } = error;
    return {
      ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
      message: typeof message === 'string' && message !== '' ? message : name,
      ...(typeof stack === 'string' ? { stack } : {}),
    };
  } catch {
    return { message: 'Something was thrown that cannot be read.' };
  }
}

function thrownText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('message' in error && typeof error.message === 'string') return error.message;
  return JSON.stringify(error) ?? 'an object';
}
