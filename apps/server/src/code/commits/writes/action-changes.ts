import { badRequest, type CommitAction, trimEndCharacters } from '@stithy/core'
import type { TreeChange } from '@stithy/git'
import type { FileLock } from './commit-write.service.ts'
import { showPath } from './tree-change-errors.ts'

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * Decodes a content as it was sent; ignores line breaks in base64.
 * @throws DomainError `bad_request` for invalid base64.
 */
export function decodeContent(path: string, content: string, encoding = 'text'): Buffer {
  if (encoding === 'text') return Buffer.from(content)
  const compact = content.replace(/\s+/g, '')
  const unpadded = trimEndCharacters(compact, '=')
  const isPadded = compact === unpadded || compact.length % 4 === 0
  if (!base64.test(compact) || unpadded.length % 4 === 1 || !isPadded) {
    throw badRequest(`The content of '${showPath(path)}' is not valid base64.`)
  }
  return Buffer.from(compact, 'base64')
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
