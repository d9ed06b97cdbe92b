import type { GroupAbility } from '../../directory/groups/group-policy.ts'
import type { ProjectAbility } from '../../directory/projects/project-policy.ts'
import type { GroupSearchScope, ProjectSearchScope } from './search.schema.ts'

/** The ability on the group that each scope of its search needs: that of the list. */
export const groupSearchAbilities = {
  projects: 'read_group',
  issues: 'read_group_issues',
  merge_requests: 'read_group_merge_requests',
  milestones: 'read_group_milestones',
  users: 'read_group_members',
  // The results are those of projects that the caller may read.
  blobs: 'read_group',
  wiki_blobs: 'read_group',
  commits: 'read_group',
} as const satisfies Record<GroupSearchScope, GroupAbility>

/**
 * The ability on the project that each scope of its search needs: that of the list. Comments are
 * decided one by one, by what they are on.
 */
export const projectSearchAbilities = {
  issues: 'read_issues',
  merge_requests: 'read_merge_requests',
  milestones: 'read_milestones',
  notes: 'read_project',
  users: 'read_members',
  blobs: 'read_code',
  wiki_blobs: 'read_wiki',
  commits: 'read_code',
} as const satisfies Record<ProjectSearchScope, ProjectAbility>
