import { z } from 'zod'
import { Commit, CommitDetail } from '../../code/commits/commit.schema.ts'
import { SimpleProject } from '../../directory/projects/project.schema.ts'
import { UserRef } from '../../directory/users/user.schema.ts'
import { Issue } from '../../planning/issues/issue.schema.ts'
import { MergeRequest } from '../../planning/items/merge-request.schema.ts'
import { Milestone } from '../../planning/milestones/milestone.schema.ts'
import { Note } from '../../planning/notes/note.schema.ts'
import { Snippet } from '../../planning/snippets/snippet.schema.ts'

/** What the search index finds. */
export const codeSearchScopes = ['blobs', 'wiki_blobs', 'commits'] as const
export type CodeSearchScopeName = (typeof codeSearchScopes)[number]

/** What can be searched on the whole instance. */
export const searchScopes = [
  'projects',
  'issues',
  'merge_requests',
  'milestones',
  'snippet_titles',
  'snippet_blobs',
  'users',
  ...codeSearchScopes,
] as const
export type SearchScope = (typeof searchScopes)[number]

/** What can be searched in a group. */
export const groupSearchScopes = [
  'projects',
  'issues',
  'merge_requests',
  'milestones',
  'users',
  ...codeSearchScopes,
] as const
export type GroupSearchScope = (typeof groupSearchScopes)[number]

/** What can be searched in a project. */
export const projectSearchScopes = [
  'issues',
  'merge_requests',
  'milestones',
  'notes',
  'users',
  ...codeSearchScopes,
] as const
export type ProjectSearchScope = (typeof projectSearchScopes)[number]

// Strict, so that a client can tell the shapes apart by their fields.

/** A project among search results. */
export const FoundProject = z.strictObject(SimpleProject.omit({ readme_url: true }).shape)
export type FoundProject = z.output<typeof FoundProject>

/** An issue among search results. */
export const FoundIssue = z.strictObject(
  Issue.omit({
    closed_by: true,
    merge_requests_count: true,
    has_tasks: true,
    task_status: true,
    task_completion_status: true,
    _links: true,
    subscribed: true,
  }).shape,
)
export type FoundIssue = z.output<typeof FoundIssue>

/** A merge request among search results. */
export const FoundMergeRequest = z.strictObject(
  MergeRequest.omit({
    merged_by: true,
    closed_by: true,
    allow_collaboration: true,
    squash: true,
    subscribed: true,
  }).shape,
)
export type FoundMergeRequest = z.output<typeof FoundMergeRequest>

/** A milestone among search results. */
const FoundMilestone = z.strictObject(Milestone.shape)

/** A snippet among search results. */
export const FoundSnippet = z.strictObject(Snippet.omit({ visibility: true }).shape)
export type FoundSnippet = z.output<typeof FoundSnippet>

/** A comment among search results. */
export const FoundNote = z.strictObject(Note.omit({ suggestions: true }).shape)
export type FoundNote = z.output<typeof FoundNote>

/** A user among search results. */
const FoundUser = z.strictObject(UserRef.shape)

/** A file of a repository or wiki among search results. */
export const FoundBlob = z.strictObject({
  /** The path without the extension. */
  basename: z.string(),
  /** The lines around the first hit; the first lines if only the path matches. */
  data: z.string(),
  path: z.string(),
  /** The path again, as v4 has it. */
  filename: z.string(),
  id: z.null(),
  /** The branch, or what was asked for. */
  ref: z.string(),
  /** The number of the first line of `data`, from 1. */
  startline: z.number().int(),
  project_id: z.number().int(),
})
export type FoundBlob = z.output<typeof FoundBlob>

/** A commit among search results. */
export const FoundCommit = z.strictObject({
  ...Commit.omit({ stats: true }).shape,
  project_id: z.number().int(),
})
export type FoundCommit = z.output<typeof FoundCommit>

/** A commit among the search results of a project. */
export const FoundProjectCommit = z.strictObject(CommitDetail.omit({ stats: true }).shape)
export type FoundProjectCommit = z.output<typeof FoundProjectCommit>

/** What is found in several contexts. */
const common = [
  z.array(FoundIssue),
  z.array(FoundMergeRequest),
  z.array(FoundMilestone),
  z.array(FoundUser),
  z.array(FoundBlob),
] as const

/** A page of search results: all of the type that the scope names. */
export const SearchResults = z.union([
  z.array(FoundProject),
  ...common,
  z.array(FoundCommit),
  z.array(FoundSnippet),
])
export const GroupSearchResults = z.union([z.array(FoundProject), ...common, z.array(FoundCommit)])
export const ProjectSearchResults = z.union([
  ...common,
  z.array(FoundProjectCommit),
  z.array(FoundNote),
])
