import { randomUUID } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'

/**
 * The text of a file that the first start writes, readable by its owner only. Servers that start at
 * the same time get the same text.
 */
export async function readOrCreate(path: string, generate: () => string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, generate(), { mode: 0o600, flush: true })
  try {
    // Unlike a rename, this keeps what another server wrote meanwhile.
    await link(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(temporary)
  }
  return readFile(path, 'utf8')
}
