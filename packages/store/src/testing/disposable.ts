import type { Database } from '../platform/queries/queries.ts'
import type { TestDatabase } from './index.ts'

/** Removes a database when it and those opened from it are closed. */
export function disposable(
  db: Database,
  open: () => Promise<Database>,
  remove: () => Promise<void>,
): TestDatabase {
  const others: Database[] = []
  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    await Promise.all([db, ...others].map((database) => database.close()))
    await remove()
  }
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  return {
    ...db,
    close,
    [Symbol.asyncDispose]: close,
    async openAgain() {
      const other = await open()
      others.push(other)
      return other
    },
  }
}
