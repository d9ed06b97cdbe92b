export { findArrival, isAncestor, listRange, type RangeCommit } from './ancestry.ts'
export { type ArchiveOptions, archiveSize, openArchive } from './archive.ts'
export { type BlamedFile, type BlameRange, blameFile } from './blame.ts'
export { isValidBranchName, isValidRefName } from './branch-name.ts'
export type { EndReason, GitExit, GitProcess } from './broker/git-process.ts'
export {
  type ChangedPaths,
  type ChangedPathsLimits,
  changedPaths,
} from './changed-paths.ts'
export { countCommits, type KeptCount, rememberedCount } from './commit-count.ts'
export { readCommitSignature } from './commit-signature.ts'
export { type Contributor, listContributors } from './contributors.ts'
export { type DiffOptions, diffCommit, diffRange, emptyTreeOid } from './diff.ts'
export { type DiffPage, diffPage } from './diff-page.ts'
export { fetchCommit } from './fetch-commit.ts'
export { type Git, type GitLogger, type GitOptions, openGit, type Repository } from './git.ts'
export { GitError, type GitErrorCode } from './git-error.ts'
export {
  commitStats,
  type HistoryPage,
  type ListedCommit,
  lastCommitFor,
  listCommits,
  readCommit,
  readTag,
} from './history.ts'
export type { HistoryQuery } from './history-query.ts'
export { pickCommit, type Replay, type Replayed, revertCommit } from './merge.ts'
export { findCommonAncestor, findMergeBase } from './merge-base.ts'
export { mergesCleanly } from './merge-check.ts'
export { findMerged } from './merged.ts'
export {
  type GitObject,
  isOid,
  maxObjectBytes,
  type ObjectInfo,
  objectInfo,
  readObject,
  streamBlob,
} from './object-reader.ts'
export type { Commit, Signature, Tag } from './parsing/commit-parser.ts'
export type { Diff, DiffEntry, DiffLimits } from './parsing/diff-parser.ts'
export { isValidPath } from './parsing/path-rules.ts'
export type { CommitStats } from './parsing/stats-parser.ts'
export type { EntryType, TreeEntry } from './parsing/tree-parser.ts'
export { type ForwardOnly, maxForwardOnlyBytes } from './push-hook.ts'
export { type CommitRange, countRanges } from './range-counts.ts'
export type { ObjectType } from './reading/answer-parser.ts'
export { listRefsByDate } from './reading/ref-dates.ts'
export type { Ref } from './reading/ref-snapshot.ts'
export {
  parseReceiveRequest,
  progressMessage,
  type ReceiveCommand,
  type ReceiveRequest,
  readReceiveRequest,
  readUpdatedRefs,
  reportStatusRefusal,
} from './receive-commands.ts'
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
} from './refs.ts'
export {
  createRepository,
  readHead,
  removeRepository,
  repositoryExists,
  repositorySize,
  setHead,
} from './repository.ts'
export type { StreamLimits } from './stream.ts'
export { type TagRequest, writeTag } from './tag-writer.ts'
export {
  advertiseEmpty,
  advertiseRefs,
  type ReceiveOptions,
  receivePack,
  type TransportOptions,
  type TransportService,
  uploadPack,
} from './transport.ts'
export {
  type BlobFile,
  type BlobSize,
  findEntry,
  listBlobSizes,
  listTree,
  readBlob,
  type TreeQuery,
} from './tree.ts'
export { type HousekeepOptions, housekeep } from './upkeep/housekeep.ts'
export { type SweepOptions, sweepRepositories } from './upkeep/sweep.ts'
export {
  type BranchCommit,
  type CommitRequest,
  type CommitWords,
  commitFiles,
  createCommit,
  type Identity,
} from './write.ts'
export {
  type FileWrite,
  type RefusedChange,
  type TreeChange,
  TreeChangeError,
} from './writing/tree-changes.ts'
