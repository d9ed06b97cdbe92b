export { isValidBranchName, isValidRefName } from './branch-name.ts'
export type { EndReason, GitExit, GitProcess } from './broker/git-process.ts'
export { type DiffOptions, diffCommit, diffRange, emptyTreeOid } from './diff.ts'
export { type Git, type GitLogger, type GitOptions, openGit, type Repository } from './git.ts'
export { GitError, type GitErrorCode } from './git-error.ts'
export {
  commitStats,
  countCommits,
  findMergeBase,
  type HistoryPage,
  type HistoryQuery,
  type ListedCommit,
  lastCommitFor,
  listCommits,
  readCommit,
  readTag,
} from './history.ts'
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
export type { ObjectType } from './reading/answer-parser.ts'
export type { Ref } from './reading/ref-snapshot.ts'
export {
  parseReceiveRequest,
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
  housekeep,
  readHead,
  removeRepository,
  repositoryExists,
  repositorySize,
  setHead,
} from './repository.ts'
export {
  advertiseRefs,
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
export { type CommitRequest, commitFiles, type FileWrite, type Identity } from './write.ts'
