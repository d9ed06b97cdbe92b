/** Rows per transaction, so that other writers get their turn in between. */
const batch = 1000

/**
 * Repeats a batch, which takes a limit and returns how many rows it changed, until none is left.
 */
export async function inBatches(
  work: (limit: number) => Promise<number>,
  size = batch,
): Promise<void> {
  while ((await work(size)) >= size) {
    // Yields to the event loop: SQLite answers synchronously.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
