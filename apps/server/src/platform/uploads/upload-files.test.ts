import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Config } from '../config/config.ts'
import { saveUpload } from './upload-files.ts'

let data: string
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'stithy-uploads-'))
})
afterAll(() => rm(data, { recursive: true, force: true }))

it('saveUpload keeps nothing of a file that could not be written', async () => {
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(Buffer.from('a')),
    pull: (controller) => controller.error(new Error('No space')),
  })
  const file = Object.assign(new File(['ab'], 'a.txt'), { stream: () => broken })
  await expect(saveUpload({ data } as Config, 1, file)).rejects.toThrow('No space')
  expect(await readdir(join(data, 'uploads', 'projects', '1'))).toEqual([])
})
