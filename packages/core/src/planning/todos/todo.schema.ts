import { z } from 'zod'
import { Commit } from '../../code/commits/commit.schema.ts'
import { NamespaceRef } from '../../directory/namespaces/namespace.schema.ts'
import { UserRef } from '../../directory/users/user.schema.ts'
import { timestamp } from '../../platform/contract/fields.ts'
import { Epic } from '../epics/epic.schema.ts'
import { Issue } from '../issues/issue.schema.ts'
import { MergeRequest } from '../items/merge-request.schema.ts'

/** The reasons for a todo. */
export const todoActions = [
  'assigned',
  'mentioned',
  'build_failed',
  'marked',
  'approval_required',
  'unmergeable',
  'directly_addressed',
  'member_access_requested',
] as const
export type TodoAction = (typeof todoActions)[number]

export const todoStates = ['pending', 'done'] as const
export type TodoState = (typeof todoStates)[number]

/** Types of todo targets. */
export const todoTargetTypes = [
  'issue',
  'merge_request',
  'commit',
  'epic',
  'project',
  'group',
] as const
export type TodoTargetType = (typeof todoTargetTypes)[number]

/** A project as nested in other resources. */
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
  /** Either `project` or `group` is present. */
  project: ProjectIdentity.optional(),
  group: NamespaceRef.optional(),
  author: UserRef,
  action_name: z.enum(todoActions),
  target_url: z.string(),
  /** The text of the note that created it, else the title of the target. */
  body: z.string(),
  state: z.enum(todoStates),
  created_at: timestamp,
}

/** A todo of a user. */
export const Todo = z.discriminatedUnion('target_type', [
  z.object({ ...fields, target_type: z.literal('Issue'), target: Issue }),
  z.object({ ...fields, target_type: z.literal('MergeRequest'), target: MergeRequest }),
  /** Null when the repository no longer contains the commit. */
  z.object({ ...fields, target_type: z.literal('Commit'), target: Commit.nullable() }),
  z.object({ ...fields, target_type: z.literal('Epic'), target: Epic }),
  /** Somebody asks to become a member. */
  z.object({ ...fields, target_type: z.literal('Project'), target: ProjectIdentity }),
  z.object({ ...fields, target_type: z.literal('Namespace'), target: NamespaceRef }),
])
export type Todo = z.output<typeof Todo>
