import { baseName, type RepositoryFile } from '@stithy/core'
import type { FoundFile } from './found-file.ts'

/** A file with its content as it goes over the wire. */
export function presentFile(file: FoundFile, content: string): RepositoryFile {
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

/** One header for each field but the content (catalogue: repository, 2). */
export function fileHeaders(file: FoundFile): Record<string, string> {
  return {
    'X-Gitlab-File-Name': headerText(baseName(file.path)),
    'X-Gitlab-File-Path': headerText(file.path),
    'X-Gitlab-Size': String(file.size),
    'X-Gitlab-Encoding': 'base64',
    'X-Gitlab-Content-Sha256': file.sha256,
    'X-Gitlab-Ref': headerText(file.ref),
    'X-Gitlab-Blob-Id': file.blobId,
    'X-Gitlab-Commit-Id': file.commitId,
    'X-Gitlab-Last-Commit-Id': file.lastCommitId,
  }
}

/** UTF-8 as the bytes of a header; what would end the header is percent-encoded. */
function headerText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return Buffer.from(text)
    .toString('latin1')
    .replace(/[^\x20-\x7e\x80-\xff]/g, (char) => encodeURIComponent(char))
}

/**
 * The headers of the raw bytes of a file. Whatever it holds, a browser must neither run it nor guess
 * at its type.
 */
export function rawHeaders(file: FoundFile): Record<string, string> {
  const name = encodeURIComponent(baseName(file.path)).replace(/['()*]/g, escapeChar)
  return {
    ...fileHeaders(file),
    etag: `"${file.blobId}"`,
    'content-type': file.text ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    'content-length': String(file.size),
    'content-disposition': `${file.text ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'max-age=0, private, must-revalidate',
  }
}

function escapeChar(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
}
