import type { Generated } from 'kysely'

/** A repository in the search index. */
export interface SearchSourcesTable {
  id: Generated<number>
  projectId: number
  kind: 'code' | 'wiki'
  /** The commit whose files and history are in the index; null before the first. */
  revision: string | null
  /** The commit that replaces it step by step; null while there is none. */
  target: string | null
  /** Counts the transactions that wrote to it, so that two writers don't work on it together. */
  version: Generated<number>
}

/** A range of 4,096 ids that only one repository uses, from `id * 4096` on. */
export interface SearchBlocksTable {
  id: Generated<number>
  sourceId: number
  holds: 'commits' | 'files'
  /** How many of the ids were used. */
  used: Generated<number>
}

export interface SearchFilesTable {
  id: number
  sourceId: number
  path: string
  oid: string
}

export interface SearchCommitsTable {
  id: number
  sourceId: number
  oid: string
}

/**
 * Texts in lower case: paths and contents by the id of the file, messages by that of the commit. On
 * SQLite only their trigrams are stored: the column matches, but can't be read.
 */
export interface SearchTextsTable {
  /** `id` on PostgreSQL. */
  rowid: number
  text: string
}
