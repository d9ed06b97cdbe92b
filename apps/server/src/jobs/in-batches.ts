/** Rows that change in one transaction, so that others get their turn in between. */
const batch = 1000

/** Repeats work that does at most so much at a time, and answers how much it did, until nothing is left. */
export async function inBatches(
  work: (limit: number) => Promise<number>,
  size = batch,
): Promise<void> {
  while ((await work(size)) >= size) {
    // The event loop takes its turn here: SQLite answers without leaving it.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
