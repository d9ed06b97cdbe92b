import { readdir, readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TemplateType } from '@stithy/core'
import { templatesFolder } from '../../platform/runtime.ts'

/** A template by the name of its file, without the extension. */
export interface TemplateFile {
  key: string
  content: string
}

const folder = templatesFolder ?? fileURLToPath(new URL('./data', import.meta.url))
const loaded = new Map<TemplateType, Promise<TemplateFile[]>>()

/** The templates of a type, by key; read from disk once. */
export function templateFiles(type: TemplateType): Promise<TemplateFile[]> {
  const known = loaded.get(type)
  if (known !== undefined) return known
  const reading = readFiles(type)
  loaded.set(type, reading)
  // The next call tries again.
  reading.catch(() => loaded.delete(type))
  return reading
}

async function readFiles(type: TemplateType): Promise<TemplateFile[]> {
  const names = await readdir(join(folder, type))
  const files = await Promise.all(
    names.map(async (name) => {
      return { key: parse(name).name, content: await readFile(join(folder, type, name), 'utf8') }
    }),
  )
  // Not by the names of the files, in which `-` comes before the dot of the extension.
  return files.sort((a, b) => (a.key < b.key ? -1 : 1))
}
