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
 * PostgreSQL alone.
 */
export interface SearchTextsTable {
  rowid: number
  text: string
}

/** Texts of files or commits by their trigrams and signatures. On SQLite alone. */
export interface SearchSegmentsTable {
  id: Generated<number>
  holds: 'messages' | 'paths' | 'texts'
  /** What it takes to merge it: code units, and a thousand for each text. */
  size: number
  /** How many texts there are, deleted ones too. */
  count: number
  /** The lowest and the highest id of a file or commit. */
  firstId: number
  lastId: number
  /** A bit for each text that is deleted; null for none. */
  deleted: Uint8Array | null
  /** The ids of the texts, and their columns in the matrix of signatures. */
  texts: Uint8Array
}

/** The lists of a segment for some keys, as numbers of texts or columns. On SQLite alone. */
export interface SearchPagesTable {
  /** `segment * 2^25` and the first key. */
  id: number
  page: Uint8Array
}
