import { z } from 'zod'
import { Commit } from '../commits/commit.schema.ts'
import { timestamp } from '../contract/fields.ts'
import { EpicRef } from '../epics/epic.schema.ts'
import { Issue } from '../issues/issue.schema.ts'
import { MergeRequest } from '../merge-requests/merge-request.schema.ts'
import { NamespaceRef } from '../namespaces/namespace.schema.ts'
import { UserRef } from '../users/user.schema.ts'

/** Why somebody has a todo (catalogue: planning, 5). */
export const todoActions = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
] as const
export type TodoAction = (typeof todoActions)[number]

export const todoStates = ['pending', 'done'] as const
export type TodoState = (typeof todoStates)[number]

/** What todos are about. */
export const todoTargetTypes = ['issue', 'merge_request', 'commit', 'epic'] as const
export type TodoTargetType = (typeof todoTargetTypes)[number]

/** A project inside another thing (catalogue: planning, 5). */
export const ProjectIdentity = z.object({
  id: z.int(),
  description: z.string().nullable(),
  name: z.string(),
  name_with_namespace: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
  created_at: timestamp,
})
export type ProjectIdentity = z.output<typeof ProjectIdentity>

const fields = {
  id: z.int(),
  /** One of `project` and `group` is there. */
  project: ProjectIdentity.optional(),
  group: NamespaceRef.optional(),
  author: UserRef,
  action_name: z.enum(todoActions),
  target_url: z.string(),
  /** The text of the note that made it, else the title of the target. */
  body: z.string(),
  state: z.enum(todoStates),
  created_at: timestamp,
}

/** Something that waits for a user (document 1, Todo; catalogue: planning, 5). */
export const Todo = z.discriminatedUnion('target_type', [
  z.object({ ...fields, target_type: z.literal('Issue'), target: Issue }),
  z.object({ ...fields, target_type: z.literal('MergeRequest'), target: MergeRequest }),
  /** Null where the repository has the commit no more. */
  z.object({ ...fields, target_type: z.literal('Commit'), target: Commit.nullable() }),
  z.object({ ...fields, target_type: z.literal('Epic'), target: EpicRef }),
])
export type Todo = z.output<typeof Todo>
