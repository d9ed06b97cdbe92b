/** Rows of the first transaction, of a kind of which it isn't known how long one takes. */
const firstSize = 20
/** The fewest rows of one transaction. */
const minSize = 5
/** The longest that a transaction should take, in milliseconds: on SQLite nothing else runs then. */
const targetMs = 20

/**
 * Repeats a batch, which takes a limit and returns how many rows it changed, until none is left.
 * The limit, at most `maxSize`, follows how long the batches take, so that others get their turn in
 * between. @param now milliseconds
 */
export async function inBatches(
  work: (limit: number) => Promise<number>,
  maxSize = 1000,
  now: () => number = () => performance.now(),
): Promise<void> {
  let size = Math.min(firstSize, maxSize)
  for (let started = now(); (await work(size)) >= size; started = now()) {
    const fitting = Math.floor((size * targetMs) / Math.max(now() - started, 1))
    // At most doubled: batches of one kind may differ.
    size = Math.min(Math.max(fitting, minSize), size * 2, maxSize)
    // Yields to the event loop: SQLite answers synchronously.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
