import { extname } from 'node:path'
import type { FoundBlob } from '@stithy/core'
import type { Repository } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { readText, readTexts } from '../search-index/searched-text.ts'
import { type Excerpt, excerptOf, startOf } from './excerpt.ts'
import { readableOrNone } from './readable-or-none.ts'

/** A file that a search found. */
export interface FoundFile {
  projectId: number
  repository: Repository
  /** The branch, or what was asked for. */
  ref: string
  path: string
  /** Full id of the blob. */
  oid: string
  /** The lines around the text, if the file was read to find it. */
  excerpt?: Excerpt | undefined
}

/** Of files by full id, those whose contents contain a text, which is in lower case. */
export async function excerptsOf(
  app: App,
  repository: Repository,
  oids: readonly string[],
  text: string,
): Promise<Map<string, Excerpt>> {
  const found = new Map<string, Excerpt>()
  let at = 0
  for await (const contents of readTexts(app, repository, oids)) {
    for (const content of contents) {
      const oid = oids[at]
      at += 1
      const excerpt = content === undefined ? undefined : excerptOf(content, text)
      if (oid !== undefined && excerpt !== undefined) found.set(oid, excerpt)
    }
  }
  return found
}

/** Presents files with the lines around a text, or their first lines. */
export async function presentFoundFiles(
  app: App,
  files: readonly FoundFile[],
  text: string,
): Promise<FoundBlob[]> {
  const found = await Promise.all(
    files.map(async (file): Promise<FoundBlob[]> => {
      const presenting = presentFoundFile(app, file, text).then((blob) => [blob])
      return readableOrNone(app, file.repository, presenting, [])
    }),
  )
  return found.flat()
}

async function presentFoundFile(app: App, file: FoundFile, text: string): Promise<FoundBlob> {
  const { projectId, ref, path } = file
  const { data, startline } = file.excerpt ?? (await readExcerpt(app, file, text))
  return {
    basename: path.slice(0, path.length - extname(path).length),
    data,
    path,
    filename: path,
    id: null,
    ref,
    startline,
    project_id: projectId,
  }
}

async function readExcerpt(
  app: App,
  { repository, oid }: FoundFile,
  text: string,
): Promise<Excerpt> {
  // Of a binary or large file only the path is searched.
  const content = (await readText(app, repository, oid)) ?? ''
  return excerptOf(content, text) ?? startOf(content)
}
