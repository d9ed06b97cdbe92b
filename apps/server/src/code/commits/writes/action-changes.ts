import { badRequest, type CommitAction, trimEndCharacters } from '@stithy/core'
import type { TreeChange } from '@stithy/git'
import type { FileLock } from './commit-write.service.ts'
import { showPath } from './tree-change-errors.ts'

/**
 * Decodes a content as it was sent; ignores line breaks in base64.
 * @throws DomainError `bad_request` for invalid base64.
 */
export function decodeContent(path: string, content: string, encoding = 'text'): Buffer {
  if (encoding === 'text') return Buffer.from(content)
  const decoded = decodeBase64(content) ?? decodeBase64(content.replace(/\s+/g, ''))
  if (decoded !== undefined) return decoded
  throw badRequest(`The content of '${showPath(path)}' is not valid base64.`)
}

/**
 * Undefined for a text that is not base64 (RFC 4648, 4), with or without padding. Encoding it again
 * takes a fifth of the time of a regular expression, which tens of megabytes would block others
 * with.
 */
function decodeBase64(text: string): Buffer | undefined {
  const unpadded = trimEndCharacters(text, '=')
  const padding = text.length - unpadded.length
  if (padding > 2 || unpadded.length % 4 === 1) return undefined
  if (padding > 0 && text.length % 4 !== 0) return undefined
  const bytes = Buffer.from(unpadded, 'base64')
  const again = trimEndCharacters(bytes.toString('base64'), '=')
  // The last character may have bits that no byte uses.
  const last = unpadded.length - 1
  const isSame = again.length === unpadded.length && again.startsWith(unpadded.slice(0, last))
  return isSame && /^[A-Za-z0-9+/]?$/.test(unpadded.slice(last)) ? bytes : undefined
}

/**
 * Translates an action to a change of the tree.
 * @throws DomainError `bad_request` for invalid base64.
 */
export function changeOf(action: CommitAction): TreeChange {
  const { file_path: path, previous_path: from = '', content, encoding } = action
  const bytes = () => decodeContent(path, content ?? '', encoding)
  switch (action.action) {
    case 'create':
      return { kind: 'write', path, content: bytes(), must: 'be_absent' }
    case 'update':
      return { kind: 'write', path, content: bytes(), must: 'exist' }
    case 'delete':
      return { kind: 'delete', path }
    case 'move':
      if (content === undefined || content === null) return { kind: 'rename', from, path }
      return { kind: 'rename', from, path, content: bytes() }
    case 'chmod':
      return { kind: 'mode', path, executable: action.execute_filemode ?? false }
  }
}

/** The last commit that an action expects; only actions that change an existing file have one. */
export function lockOf(action: CommitAction): FileLock | undefined {
  const { action: kind, file_path, previous_path, last_commit_id: lastCommit } = action
  if (lastCommit === undefined || kind === 'create' || kind === 'chmod') return undefined
  return { path: kind === 'move' ? (previous_path ?? '') : file_path, lastCommit }
}
