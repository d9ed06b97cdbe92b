import type { Visibility } from '@stithy/core'
import type { Commit } from '@stithy/git'
import type { HookLabelRow, ProjectRow, UserRefRow } from '@stithy/store'
import { sshUrlOf } from '../../../directory/projects/project.presenter.ts'
import type { Config } from '../../../platform/config/config.ts'
import { webUrl } from '../../../platform/http/urls.ts'
import { avatarUrl } from '../../../platform/uploads/avatar-url.ts'

// Objects that the bodies of several events share.
export const visibilityLevels: Record<Visibility, number> = { private: 0, internal: 10, public: 20 }

/** `project`, without the keys that newer events omit. */
export function hookProject(config: Config, row: ProjectRow) {
  const web = webUrl(config, row.fullPath)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    web_url: web,
    avatar_url: avatarUrl(config, 'project', row.id, row.avatar),
    git_ssh_url: sshUrlOf(config, row.fullPath),
    git_http_url: `${web}.git`,
    namespace: row.namespaceName,
    visibility_level: visibilityLevels[row.visibility],
    path_with_namespace: row.fullPath,
    default_branch: row.defaultBranch,
    ci_config_path: row.ciConfigPath,
  }
}

/** `project` with the deprecated keys that older receivers read. */
export function hookProjectWithAliases(config: Config, row: ProjectRow) {
  const project = hookProject(config, row)
  return {
    ...project,
    homepage: project.web_url,
    url: project.git_ssh_url,
    ssh_url: project.git_ssh_url,
    http_url: project.git_http_url,
  }
}

/** `repository`, which `project` replaced. */
export function hookRepository(config: Config, row: ProjectRow) {
  const { name, git_ssh_url: url, description, web_url: homepage } = hookProject(config, row)
  return { name, url, description, homepage }
}

/** `user`; null if the user is unknown. */
export function hookUser(config: Config, user: UserRefRow | undefined) {
  if (user === undefined) return null
  const { id, name, username, avatar } = user
  return { name, username, avatar_url: avatarUrl(config, 'user', id, avatar) }
}

/** `labels`, of projects and of groups. */
export function hookLabels(labels: readonly HookLabelRow[]) {
  return labels.map((label) => ({
    id: label.id,
    title: label.title,
    color: label.color,
    project_id: label.projectId,
    created_at: hookTime(label.createdAt),
    updated_at: hookTime(label.updatedAt),
    template: false,
    description: label.description,
    type: label.groupId === null ? 'ProjectLabel' : 'GroupLabel',
    group_id: label.groupId,
  }))
}

/** `commit` */
export function hookCommit(config: Config, row: ProjectRow, commit: Commit) {
  return {
    id: commit.oid,
    message: commit.message.toWellFormed(),
    timestamp: commit.committer.date,
    url: `${webUrl(config, row.fullPath)}/commit/${commit.oid}`,
    author: { name: commit.author.name, email: commit.author.email },
  }
}

/** Formats a timestamp for `object_attributes`: `2017-09-15 16:50:55 UTC`. */
export function hookTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** See `hookTime`. */
export function hookTimeOrNull(at: number | null): string | null {
  return at === null ? null : hookTime(at)
}
