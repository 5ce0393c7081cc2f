/** Address, token and limits of the control API. */
export interface ControlSettings {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Further host names that clients may use. */
  readonly hosts: readonly string[];
  /** Folder of the bot; a generated token is stored there. */
  readonly data: string;
  /** Absent: generated and stored in the folder. */
  readonly token?: string | undefined;
}
