/** What a kind of journal is made of. Each has a table `facts` with a row `identity`. */
export interface JournalForm {
  /** In the head of the file; marks a database as a journal. */
  readonly applicationId: number;
  readonly migrations: readonly string[];
  /** What to do where the file is damaged: the end of a sentence. */
  readonly remedy: string;
}
