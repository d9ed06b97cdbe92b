export { type EndReason, exitError, type GitExit, type GitProcess } from './broker/git-process.ts'
export type { BrokerHost } from './broker/host.ts'
export { cachedCount, countCommits, type StoredCommitCount } from './counting/commit-count.ts'
export {
  type Contributor,
  type ContributorLimits,
  listContributors,
} from './counting/contributors.ts'
export { countDivergence, type Divergence, type DivergenceLimits } from './counting/divergence.ts'
export { countRanges } from './counting/range-counts.ts'
export {
  type ChangedPaths,
  type ChangedPathsLimits,
  changedPaths,
} from './diffs/changed-paths.ts'
export { type DiffOptions, diffCommit, diffRange, emptyTreeOid } from './diffs/diff.ts'
export {
  type ChangedFile,
  type DiffPage,
  diffPage,
  listChangedFiles,
} from './diffs/diff-page.ts'
export {
  type FileLineChanges,
  type LineChanges,
  readLineChanges,
} from './diffs/line-changes.ts'
export { openRawDiff, type RawDiffFormat } from './diffs/raw-diff.ts'
export { forkRepository } from './forking/fork-repository.ts'
export { type Git, type GitLogger, type GitOptions, openGit, type Repository } from './git.ts'
export { GitError, type GitErrorCode, isLimit, isNotFound } from './git-error.ts'
export {
  findMergeOf,
  isAncestor,
  listRange,
  listRangeIds,
  type RangeCommit,
} from './history/ancestry.ts'
export { readCommitSignature } from './history/commit-signature.ts'
export { type FileMove, followFile, listFollowedCommits } from './history/followed-file.ts'
export {
  commitStats,
  type HistoryPage,
  type ListedCommit,
  lastCommitFor,
  listCommits,
  listNewestCommits,
  type NewestCommits,
} from './history/history.ts'
export type { HistoryQuery } from './history/history-query.ts'
export { type LastCommitsLimits, lastCommits } from './history/last-commits.ts'
export { findCommonAncestor, findMergeBase } from './history/merge-base.ts'
export { listNewCommits } from './history/new-commits.ts'
export type { CommitRange } from './history/range-walk.ts'
export { type HousekeepingOptions, runHousekeeping } from './housekeeping/housekeeping.ts'
export { type SweepOptions, sweepRepositories } from './housekeeping/sweep.ts'
export { cherryPickCommit, type Replay, type Replayed, revertCommit } from './merging/merge.ts'
export {
  type BranchMerge,
  type BranchMerged,
  mergeBranch,
} from './merging/merge-branch.ts'
export { mergesCleanly } from './merging/merge-check.ts'
export { findMerged } from './merging/merged.ts'
export { type Rebase, type Rebased, type RebaseLimits, rebaseBranch } from './merging/rebase.ts'
export type { Commit, Signature, Tag } from './parsing/commit-parser.ts'
export type { Diff, DiffEntry, DiffLimits } from './parsing/diff-parser.ts'
export { isValidPath } from './parsing/path-rules.ts'
export type { CommitStats } from './parsing/stats-parser.ts'
export type { EntryType, TreeEntry } from './parsing/tree-parser.ts'
export { type BlobReading, readBlobsOnce } from './reading/blobs.ts'
export type { ObjectType } from './reading/cat-file-parser.ts'
export {
  type GitObject,
  isOid,
  maxObjectBytes,
  type ObjectInfo,
  objectInfo,
  readObject,
  streamBlob,
} from './reading/object-reader.ts'
export { readLimits } from './reading/read-limits.ts'
export {
  readCommit,
  readCommits,
  readTag,
  readWholeCommit,
  readWholeTag,
} from './reading/text-object.ts'
export { listRefsByDate } from './refs/ref-dates.ts'
export type { Ref } from './refs/ref-snapshot.ts'
export {
  type ContainingRef,
  findBranch,
  findTag,
  listRefs,
  type RefUpdate,
  refsContaining,
  resolveCommit,
  updateRef,
  updateRefs,
  zeroOid,
} from './refs/refs.ts'
export {
  createRepository,
  readHead,
  removeRepository,
  repositoryExists,
  repositorySize,
  setHead,
} from './repository.ts'
export { type BlobChanges, type ChangedBlob, changedBlobs } from './search/changed-blobs.ts'
export {
  type CommitChange,
  type CommitChangesQuery,
  changedCommits,
} from './search/changed-commits.ts'
export { type CommitSearch, grepCommits } from './search/grep-commits.ts'
export { type FileSearch, grepFiles } from './search/grep-files.ts'
export { openSnapshot, type SnapshotOptions } from './snapshots/snapshot.ts'
export type { StreamLimits } from './stream.ts'
export { fetchCommit } from './transport/fetch-commit.ts'
export {
  type FetchRemoteOptions,
  fetchRemote,
  type Remote,
} from './transport/fetch-remote.ts'
export { type PackOptions, type Quarantine, withQuarantine } from './transport/quarantine.ts'
export {
  hasSideBand,
  keepAlivePacket,
  type PushResult,
  progress,
  progressMessage,
  type ReceiveCommand,
  type ReceiveRequest,
  readReceiveRequest,
  reportStatus,
} from './transport/receive-commands.ts'
export {
  advertiseFetch,
  advertisePush,
  type TransportOptions,
  type TransportService,
  uploadPack,
  uploadPackSession,
} from './transport/transport.ts'
export {
  type ArchiveOptions,
  type ArchiveSizeLimits,
  archiveSize,
  openArchive,
} from './trees/archive.ts'
export { type BlamedFile, type BlameLimits, type BlameRange, blameFile } from './trees/blame.ts'
export { type BlobCollection, collectBlobs } from './trees/collect-blobs.ts'
export {
  type BlobFile,
  type BlobSize,
  findEntry,
  listBelow,
  listRootFiles,
  listTree,
  readBlob,
  type TreePage,
  type TreePageQuery,
  type TreeQuery,
  type TreeRange,
  walkBlobs,
} from './trees/tree.ts'
export type { ListingLimits } from './trees/tree-listing.ts'
export { type TagRequest, writeTag } from './writing/tag-writer.ts'
export {
  type FileWrite,
  type RefusedChange,
  type TreeChange,
  TreeChangeError,
} from './writing/tree-changes.ts'
export {
  type BranchCommit,
  type CommitMetadata,
  type CommitRequest,
  commitFiles,
  createCommit,
  type Identity,
} from './writing/write.ts'
