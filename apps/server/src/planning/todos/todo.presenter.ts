import type {
  Commit,
  Epic,
  Issue,
  MergeRequest,
  NamespaceRef,
  ProjectIdentity,
  Todo,
  UserRef,
} from '@stithy/core'
import type { TodoRow } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { avatarUrl } from '../../platform/uploads/avatar-url.ts'

/** The targets of a page of todos, by id; commits by todo id. */
export interface TodoTargets {
  issues: ReadonlyMap<number, Issue>
  mergeRequests: ReadonlyMap<number, MergeRequest>
  epics: ReadonlyMap<number, Epic>
  commits: ReadonlyMap<number, Commit>
}

export interface TodoContext extends TodoTargets {
  authors: ReadonlyMap<number, UserRef>
  /** Texts of the notes that caused todos, by note id. */
  notes: ReadonlyMap<number, string>
}

/** Presents todos; those whose target was deleted concurrently are left out. */
export function presentTodos(
  config: Config,
  rows: readonly TodoRow[],
  context: TodoContext,
): Todo[] {
  return rows.flatMap((row) => {
    const author = context.authors.get(row.authorId)
    const target = presentTarget(config, row, context)
    if (author === undefined || target === undefined) return []
    const { fields, url, title } = target
    const common = {
      id: row.id,
      ...presentParent(config, row),
      author,
      action_name: row.action,
      target_url: row.noteId === null ? url : `${url}#note_${row.noteId}`,
      body: (row.noteId === null ? undefined : context.notes.get(row.noteId)) ?? title,
      state: row.state,
      created_at: timestampText(row.createdAt),
    }
    return [{ ...common, ...fields }]
  })
}

type TargetFields<T = Todo> = T extends Todo ? Pick<T, 'target_type' | 'target'> : never

function presentTarget(
  config: Config,
  row: TodoRow,
  { issues, mergeRequests, epics, commits }: TodoTargets,
): { fields: TargetFields; url: string; title: string } | undefined {
  if (row.commitId !== null) {
    const target = commits.get(row.id) ?? null
    const url = webUrl(config, `${row.projectFullPath}/commit/${row.commitId}`)
    return { fields: { target_type: 'Commit', target }, url, title: target?.title ?? row.commitId }
  }
  const id = row.targetId ?? 0
  if (row.targetType === 'issue') return ofItem('Issue', issues.get(id))
  if (row.targetType === 'epic') return ofItem('Epic', epics.get(id))
  if (row.targetType === 'project') return ofProject(config, presentProject(id, row))
  if (row.targetType === 'group') return ofGroup(presentGroup(config, id, row))
  return ofItem('MergeRequest', mergeRequests.get(id))
}

function ofItem(
  type: 'Issue' | 'MergeRequest' | 'Epic',
  target: Issue | MergeRequest | Epic | undefined,
): { fields: TargetFields; url: string; title: string } | undefined {
  if (target === undefined) return undefined
  const fields = { target_type: type, target } as TargetFields
  return { fields, url: target.web_url, title: target.title }
}

/** Access requests of a project are decided where its members are. */
function ofProject(config: Config, target: ProjectIdentity) {
  const title = target.path_with_namespace
  const url = webUrl(config, `${title}/-/project_members`)
  return { fields: { target_type: 'Project', target } as const, url, title }
}

function ofGroup(target: NamespaceRef) {
  const url = `${target.web_url}/-/group_members`
  return { fields: { target_type: 'Namespace', target } as const, url, title: target.full_path }
}

function presentParent(
  config: Config,
  row: TodoRow,
): { project: ProjectIdentity } | { group: NamespaceRef } | Record<never, never> {
  if (row.projectId !== null) return { project: presentProject(row.projectId, row) }
  return row.groupId === null ? {} : { group: presentGroup(config, row.groupId, row) }
}

function presentProject(id: number, row: TodoRow): ProjectIdentity {
  const name = row.projectName ?? ''
  return {
    id,
    description: row.projectDescription,
    name,
    name_with_namespace: `${row.namespaceFullName} / ${name}`,
    path: row.projectPath ?? '',
    path_with_namespace: row.projectFullPath ?? '',
    created_at: timestampText(row.projectCreatedAt ?? 0),
  }
}

function presentGroup(config: Config, id: number, row: TodoRow): NamespaceRef {
  const fullPath = row.groupFullPath ?? ''
  return {
    id,
    name: row.groupName ?? '',
    path: row.groupPath ?? '',
    kind: 'group',
    full_path: fullPath,
    parent_id: row.groupParentId,
    avatar_url: avatarUrl(config, 'group', id, row.groupAvatar),
    web_url: webUrl(config, `groups/${fullPath}`),
  }
}
