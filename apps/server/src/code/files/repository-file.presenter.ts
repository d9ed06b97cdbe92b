import {
  baseName,
  type FileLines,
  type RepositoryFile,
  type BlameRange as WireRange,
} from '@stithy/core'
import type { BlameRange } from '@stithy/git'
import { contentHeaders } from './content.presenter.ts'
import type { ReadLines } from './read-lines.ts'
import type { LocatedFile, ResolvedFile } from './resolved-file.ts'

/** Presents a file with its content. */
export function presentFile(file: ResolvedFile, content: string): RepositoryFile {
  return {
    file_name: baseName(file.path),
    file_path: file.path,
    size: file.size,
    encoding: 'base64',
    content_sha256: file.sha256,
    ref: file.ref,
    blob_id: file.blobId,
    commit_id: file.commitId,
    last_commit_id: file.lastCommitId,
    content,
  }
}

/** Presents a file with its lines. */
export function presentLines(file: LocatedFile, read: ReadLines): FileLines {
  return {
    file_name: baseName(file.path),
    file_path: file.path,
    size: file.size,
    mode: file.mode,
    ref: file.ref,
    blob_id: file.blobId,
    commit_id: file.commitId,
    last_commit_id: file.lastCommitId,
    type: read.type,
    language: read.language,
    lines: read.lines,
    total_lines: read.totalLines,
    cut_lines: read.cutLines,
    lfs_pointer: read.lfsPointer,
  }
}

/** Presents which commit last changed each line. */
export function presentBlame(ranges: readonly BlameRange[]): WireRange[] {
  return ranges.map(({ commit, lines }) => ({
    commit: {
      id: commit.oid,
      message: commit.message,
      parent_ids: commit.parents,
      authored_date: commit.author.date,
      author_name: commit.author.name,
      author_email: commit.author.email,
      committed_date: commit.committer.date,
      committer_name: commit.committer.name,
      committer_email: commit.committer.email,
    },
    lines,
  }))
}

/** Header names that existing clients read, and ours. */
const headerPrefixes = ['X-Gitlab-', 'X-Stithy-'] as const

/** One header for each field except the content. */
export function fileHeaders(file: ResolvedFile): Record<string, string> {
  const fields = {
    'File-Name': headerText(baseName(file.path)),
    'File-Path': headerText(file.path),
    Size: String(file.size),
    Encoding: 'base64',
    'Content-Sha256': file.sha256,
    Ref: headerText(file.ref),
    'Blob-Id': file.blobId,
    'Commit-Id': file.commitId,
    'Last-Commit-Id': file.lastCommitId,
  }
  const headers: Record<string, string> = {}
  for (const prefix of headerPrefixes) {
    for (const [name, value] of Object.entries(fields)) headers[prefix + name] = value
  }
  return headers
}

/** The UTF-8 bytes of a header value; what would end the header is percent-encoded. */
function headerText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return Buffer.from(text)
    .toString('latin1')
    .replace(/[^\x20-\x7e\x80-\xff]/g, (char) => encodeURIComponent(char))
}

/** The headers of a file's raw bytes. */
export function rawHeaders(file: ResolvedFile): Record<string, string> {
  return { ...fileHeaders(file), ...contentHeaders(file, baseName(file.path)) }
}
