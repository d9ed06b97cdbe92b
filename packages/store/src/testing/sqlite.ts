import { rmSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../platform/database.ts'
import { searchFileOf } from '../platform/dialect/search-file.ts'
import { disposable } from './disposable.ts'
import type { TestDatabase, TestDatabaseOptions } from './index.ts'

let folder: Promise<string> | undefined
let count = 0

export async function openSqliteTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  folder ??= createFolder()
  count += 1
  const file = join(await folder, `${count}.db`)
  const template = join(await folder, 'template.db')
  if (options.empty !== true) await copyFile(template, file)
  await copyFile(searchFileOf(template), searchFileOf(file))
  const open = () => openDatabase({ durability: 'process', ...options, file, checkShapes: true })
  return disposable(await open(), open, async () => {
    for (const path of [file, searchFileOf(file)]) {
      for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true })
    }
  })
}

/** A folder with the template for this process, removed when the process ends. */
async function createFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'stithy-test-'))
  process.once('exit', () => rmSync(path, { recursive: true, force: true }))
  const template = await openDatabase({ file: join(path, 'template.db') })
  await template.migrate()
  await template.close()
  return path
}
