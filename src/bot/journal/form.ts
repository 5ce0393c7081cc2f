/** The form of a kind of journal. Each has a table `facts` with a row `identity`. */
export interface JournalForm {
  /** In the head of the file; marks a database as a journal. */
  readonly applicationId: number;
  readonly migrations: readonly string[];
  /** Remedy for a damaged file: the end of a sentence. */
  readonly remedy: string;
}
