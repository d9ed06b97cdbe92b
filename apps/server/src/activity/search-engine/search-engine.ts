import type {
  CandidateRequest,
  CandidateRow,
  SearchedCommit,
  SearchedFile,
  SearchSourceKind,
} from '@stithy/store'

/** What of a project is indexed. */
export interface IndexedPart {
  projectId: number
  kind: SearchSourceKind
}

/** How far a repository is indexed: full ids of commits. */
export interface IndexState {
  /** What is indexed; null for nothing. */
  revision: string | null
  /** What is being indexed; null if nothing is. */
  target: string | null
}

/** A part of what differs between two commits. Each path and commit occurs once in a list. */
export interface IndexChanges {
  /** Paths whose files are removed or replaced. */
  paths: readonly string[]
  /** The new files of these paths. */
  files: readonly SearchedFile[]
  /** Full ids. */
  removedCommits: readonly string[]
  /** The oldest first. */
  commits: readonly SearchedCommit[]
}

/** A repository in the index, as of when it was opened and of what was written since. */
export interface IndexedRepository {
  readonly state: IndexState
  /**
   * Writes a step, which can be repeated if it is interrupted.
   * @throws StoreError `busy` if another process wrote to the repository since
   */
  write(state: IndexState, changes?: IndexChanges): Promise<void>
  /** Removes everything that is indexed of it. @throws StoreError `busy` */
  clear(): Promise<void>
  /**
   * Begins to write everything again; returns what removes the entries that were not written since, for
   * when all are. Absent if the engine can't tell old entries from new ones.
   * @throws StoreError `busy`
   */
  renew?(): Promise<() => Promise<void>>
  /** Forgets it, once it is cleared. @throws StoreError `busy` */
  delete(): Promise<void>
}

/** What is searched, and for whom. */
export type CandidateQuery = Omit<CandidateRequest, 'before' | 'limit'>

/** A file or commit that may contain a text. Its caller may read it. */
export interface Candidate extends Omit<CandidateRow, 'id'> {
  /** Unique in the index. */
  id: number | string
}

/** Candidates of a search, the newest first. */
export interface CandidatePage {
  candidates: Candidate[]
  isLast: boolean
}

/** Reads the next page of a search, of up to `limit` candidates. */
export type CandidateReader = (limit: number) => Promise<CandidatePage>

/**
 * An index of files and commits by the trigrams of their texts. All of it can be read from git
 * again, which has the texts: what is found are candidates.
 * @throws SearchEngineError if it does not respond
 */
export interface SearchEngine {
  /** How far a repository is indexed; undefined if it is not in the index. */
  findState(part: IndexedPart): Promise<IndexState | undefined>
  /** Opens a repository to write to it; undefined if it is not in the index. */
  find(part: IndexedPart): Promise<IndexedRepository | undefined>
  /** The same, after adding it. */
  ensure(part: IndexedPart): Promise<IndexedRepository>
  /** The next projects after an id, in the order of their ids, that are in the index. */
  listProjectIds(page: { after: number; limit: number }): Promise<number[]>
  search(query: CandidateQuery): CandidateReader
}

/**
 * An external engine that can't be reached, or refuses. The message names what happened, and
 * neither credentials nor what was sent.
 */
export class SearchEngineError extends Error {
  override readonly name = 'SearchEngineError'
}
