import { isUtf8 } from 'node:buffer'
import { fileLineLimits, type LfsPointer } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { highlightLines } from '../../platform/text/highlight.ts'
import type { SourceRepository } from '../revisions/revision.service.ts'
import { readSmall } from './content.service.ts'
import { isBinaryContent } from './file-digest.ts'
import type { ReadLines } from './read-lines.ts'
import type { LocatedFile } from './resolved-file.ts'

const nothing: Omit<ReadLines, 'type'> = {
  language: null,
  lines: [],
  totalLines: 0,
  cutLines: [],
  lfsPointer: null,
}

/** Reads a file to be shown: of a large one, its size alone was looked at. */
export async function readLines(
  app: App,
  project: SourceRepository,
  { path, blobId, size }: LocatedFile,
): Promise<ReadLines> {
  // Most large files are no texts; whether one is would take reading it.
  if (size > fileLineLimits.bytes) return { ...nothing, type: 'large' }
  const content = await readSmall(app, repositoryOf(app, project), blobId)
  if (isBinaryContent(content)) return { ...nothing, type: 'binary' }
  const text = decodeText(content)
  const lfsPointer = size <= maxPointerBytes ? readPointer(text) : null
  if (lfsPointer !== null) return { ...nothing, type: 'lfs_pointer', lfsPointer }
  const { language, lines, totalLines, cutLines } = await highlightLines({
    key: blobId,
    path,
    text,
  })
  return { type: 'text', language, lines, totalLines, cutLines, lfsPointer: null }
}

/** What isn't UTF-8 is most likely one of its predecessors. */
function decodeText(content: Buffer): string {
  const text = isUtf8(content) ? content.toString('utf8') : content.toString('latin1')
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** As the specification of Git LFS limits it. */
const maxPointerBytes = 1024

const pointer =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n/

function readPointer(text: string): LfsPointer | null {
  const [, oid, size] = pointer.exec(text) ?? []
  return oid === undefined ? null : { oid, size: Number(size) }
}
