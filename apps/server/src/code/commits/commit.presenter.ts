import {
  type CommitDetail,
  type CommitPipeline,
  type CommitStats,
  shortId,
  type Commit as WireCommit,
  type DiffEntry as WireDiffEntry,
} from '@stithy/core'
import type { Commit, DiffEntry, ListedCommit } from '@stithy/git'

/** The fields that all views of a commit share. */
export function commitFields(commit: Commit) {
  return {
    id: commit.oid,
    short_id: shortId(commit.oid),
    title: commit.title,
    message: commit.message,
    parent_ids: commit.parents,
    author_name: commit.author.name,
    author_email: commit.author.email,
    authored_date: commit.author.date,
    committer_name: commit.committer.name,
    committer_email: commit.committer.email,
    committed_date: commit.committer.date,
  }
}

/** Presents a commit of a list. */
export function presentCommit(commit: ListedCommit): WireCommit {
  const fields = { ...commitFields(commit), created_at: commit.committer.date }
  return commit.stats === undefined ? fields : { ...fields, stats: presentStats(commit.stats) }
}

function presentStats(stats: { additions: number; deletions: number }): CommitStats {
  const { additions, deletions } = stats
  return { additions, deletions, total: additions + deletions }
}

/** Presents commits of a list. */
export function presentCommits(commits: readonly ListedCommit[]): WireCommit[] {
  return commits.map(presentCommit)
}

/** Presents one commit, with its newest pipeline if the caller may see it. */
export function presentCommitDetail(
  commit: ListedCommit,
  projectId: number,
  pipeline: CommitPipeline | undefined,
): CommitDetail {
  return {
    ...presentCommit(commit),
    status: pipeline?.status ?? null,
    last_pipeline: pipeline ?? null,
    project_id: projectId,
  }
}

/** Presents the changes of a commit, file by file; the mode of a missing side is `0`. */
export function presentDiff(entries: readonly DiffEntry[]): WireDiffEntry[] {
  return entries.map((entry) => ({
    diff: entry.diff,
    new_path: entry.newPath,
    old_path: entry.oldPath,
    a_mode: entry.aMode,
    b_mode: entry.bMode,
    new_file: entry.newFile,
    renamed_file: entry.renamedFile,
    deleted_file: entry.deletedFile,
    too_large: entry.tooLarge,
    collapsed: entry.collapsed,
  }))
}
