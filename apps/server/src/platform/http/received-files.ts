import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../app.ts'
import type { Config } from '../config/config.ts'

/** Where the files of multipart forms are kept until the response. */
export function receivedFilesFolder({ data }: Config): string {
  return join(data, 'uploads', 'received')
}

const day = 24 * 60 * 60_000

/** Deletes files that a crash left behind a day ago. */
export const removeReceivedFilesJob = {
  kind: 'uploads.remove-received',
  async run(app: App): Promise<void> {
    const folder = receivedFilesFolder(app.config)
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name)
      const file = await stat(path).catch(() => undefined)
      if (file !== undefined && file.mtimeMs < app.now() - day) await rm(path, { force: true })
    }
  },
}
