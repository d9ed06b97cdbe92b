import { type CallerFacts, isOpenTo } from '../../platform/access/caller.ts'
import type { Visibility } from '../../platform/access/level.ts'
import {
  type AccessRule,
  absent,
  allowed,
  type Decision,
  passes,
  type Refusal,
} from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'

export const featureLevels = ['disabled', 'private', 'enabled'] as const
export type FeatureLevel = (typeof featureLevels)[number]

export const projectFeatures = [
  'issues',
  'repository',
  'merge_requests',
  'builds',
  'wiki',
  'snippets',
] as const
export type ProjectFeature = (typeof projectFeatures)[number]

/** What the policy needs of a project, for one caller. */
export interface ProjectFacts {
  visibility: Visibility
  archived: boolean
  /**
   * The caller's effective level: the highest of direct, inherited and shared membership; 0 for
   * none.
   */
  level: number
  features: Record<ProjectFeature, FeatureLevel>
  /**
   * Whether the caller may push to a branch because its merge request allows the members of the
   * target to do so; only known where an action depends on it.
   */
  collaborates?: boolean
}

interface ProjectRule extends AccessRule<ProjectFeature> {
  /** Another ability that the caller must have. */
  needs?: 'read_code' | 'read_vulnerabilities'
  /** Features of which at least one must be available to the caller. */
  anyFeature?: readonly ProjectFeature[]
  /** Whether collaborators may, whatever their level. */
  collaborators?: true
  /** How callers who may not are refused, if not with a plain 403. */
  refusal?: Refusal
}

/** Labels, milestones and boards need issues or merge requests. */
const planned = { anyFeature: ['issues', 'merge_requests'] } as const

/** The rule of each ability. */
export const projectRules = {
  read_project: { from: 10, nonMembers: 'anyone' },
  read_statistics: { from: 20 },
  read_members: { from: 10, nonMembers: 'signed_in' },
  star_project: { from: 10, nonMembers: 'signed_in' },
  update_project: { from: 40 },
  rename_project: { from: 50 },
  change_visibility: { from: 50 },
  archive_project: { from: 50 },
  delete_project: { from: 50 },
  transfer_project: { from: 50 },
  fork_project: {
    from: 20,
    nonMembers: 'signed_in',
    needs: 'read_code',
    refusal: { code: 'conflict', message: 'Forking is forbidden' },
  },
  change_fork_link: { from: 50 },
  share_project: { from: 40 },
  read_hidden_shares: { from: 40 },
  admin_members: { from: 40 },
  request_access: { from: 10, nonMembers: 'signed_in', exceptMembers: true, changes: true },
  read_access_requests: { from: 40 },
  admin_access_requests: { from: 40, changes: true },
  read_events: { from: 10, nonMembers: 'anyone' },
  read_code: { from: 20, nonMembers: 'anyone', feature: 'repository' },
  comment_on_commit: { from: 10, nonMembers: 'signed_in', changes: true, needs: 'read_code' },
  moderate_notes: { from: 40, changes: true },
  set_note_dates: { from: 50, changes: true },
  push_code: { from: 30, feature: 'repository', changes: true },
  // Whether to a particular branch is decided when it is known.
  push_to_branch: { from: 30, feature: 'repository', changes: true, collaborators: true },
  read_commit_status: { from: 20, nonMembers: 'anyone', feature: 'repository' },
  create_commit_status: { from: 30, feature: 'repository', changes: true },
  read_environments: { from: 20, feature: 'builds' },
  create_environments: { from: 30, feature: 'builds', changes: true },
  admin_environments: { from: 40, feature: 'builds', changes: true },
  read_deployments: { from: 20, feature: 'builds' },
  create_deployments: { from: 30, feature: 'builds', changes: true },
  admin_hooks: { from: 40 },
  admin_badges: { from: 40 },
  read_audit_events: { from: 50 },
  read_protected_refs: { from: 40, feature: 'repository' },
  admin_protected_refs: { from: 40, feature: 'repository', changes: true },
  read_releases: { from: 10, nonMembers: 'anyone', feature: 'repository' },
  write_releases: { from: 30, feature: 'repository', changes: true },
  delete_releases: { from: 40, feature: 'repository', changes: true },
  read_merge_requests: { from: 20, nonMembers: 'anyone', feature: 'merge_requests' },
  read_issues: { from: 10, nonMembers: 'anyone', feature: 'issues' },
  read_confidential_issues: { from: 20, feature: 'issues' },
  create_issue: { from: 10, nonMembers: 'signed_in', feature: 'issues', changes: true },
  admin_issues: { from: 20, feature: 'issues', changes: true },
  delete_issues: { from: 50, feature: 'issues', changes: true },
  set_issue_dates: { from: 50, feature: 'issues', changes: true },
  admin_merge_requests: { from: 30, feature: 'merge_requests', changes: true },
  create_merge_request_from: { from: 30, feature: 'merge_requests', changes: true },
  create_merge_request_in: {
    from: 10,
    nonMembers: 'signed_in',
    feature: 'merge_requests',
    changes: true,
  },
  read_approval_settings: { from: 40, feature: 'merge_requests' },
  admin_approval_rules: { from: 40, feature: 'merge_requests', changes: true },
  delete_merge_requests: { from: 50, feature: 'merge_requests', changes: true },
  follow: { from: 10, nonMembers: 'signed_in' },
  follow_issues: { from: 10, nonMembers: 'signed_in', feature: 'issues' },
  comment: { from: 10, nonMembers: 'signed_in', changes: true },
  upload_files: { from: 10, nonMembers: 'signed_in', changes: true },
  read_labels: { from: 10, nonMembers: 'anyone', ...planned },
  subscribe_to_labels: { from: 10, nonMembers: 'signed_in', ...planned },
  admin_labels: { from: 20, changes: true, ...planned },
  promote_labels: { from: 40, changes: true, ...planned },
  read_milestones: { from: 10, nonMembers: 'anyone', ...planned },
  admin_milestones: { from: 30, changes: true, ...planned },
  read_boards: { from: 10, nonMembers: 'anyone', feature: 'issues' },
  admin_boards: { from: 20, changes: true, feature: 'issues' },
  read_snippets: { from: 10, nonMembers: 'anyone', feature: 'snippets' },
  create_snippets: { from: 20, feature: 'snippets', changes: true },
  admin_snippets: { from: 40, feature: 'snippets', changes: true },
  read_wiki: { from: 10, nonMembers: 'anyone', feature: 'wiki' },
  create_wiki: { from: 30, feature: 'wiki', changes: true },
  admin_wiki: { from: 40, feature: 'wiki', changes: true },
  read_deploy_keys: { from: 40, feature: 'repository' },
  admin_deploy_keys: { from: 40, feature: 'repository', changes: true },
  read_deploy_tokens: { from: 40, feature: 'repository' },
  admin_deploy_tokens: { from: 40, feature: 'repository', changes: true },
  read_pages_domains: { from: 40 },
  admin_pages_domains: { from: 40, changes: true },
  read_vulnerabilities: { from: 30, feature: 'builds' },
  admin_vulnerabilities: { from: 30, feature: 'builds', changes: true },
  create_vulnerability_issue: {
    from: 30,
    feature: 'issues',
    needs: 'read_vulnerabilities',
    changes: true,
  },
  housekeep_project: { from: 40 },
} as const satisfies Record<string, ProjectRule>

export type ProjectAbility = keyof typeof projectRules

/**
 * Whether the caller may do `ability` to the project, which is absent for callers who may not read
 * it.
 */
export function decideOnProject(
  ability: ProjectAbility,
  caller: CallerFacts,
  project: ProjectFacts,
): Decision {
  const decision = decideByRule(ability, caller, project)
  if (decision.allowed) return decision
  const { from, nonMembers } = projectRules.read_project
  const isVisible = passes({ from, nonMembers }, caller, project.level, project.visibility)
  if (!isVisible) return absent
  const { refusal }: ProjectRule = projectRules[ability]
  return refusal === undefined ? decision : { ...decision, refusal }
}

function decideByRule(
  ability: ProjectAbility,
  caller: CallerFacts,
  project: ProjectFacts,
): Decision {
  const rule: ProjectRule = projectRules[ability]
  if (rule.changes && project.archived) {
    return { allowed: false, reason: 'The project is archived' }
  }
  if (rule.feature !== undefined && !isFeatureAvailable(rule.feature, caller, project)) {
    return { allowed: false }
  }
  if (rule.anyFeature?.some((name) => isFeatureAvailable(name, caller, project)) === false) {
    return { allowed: false }
  }
  if (rule.needs !== undefined && !decideOnProject(rule.needs, caller, project).allowed) {
    return { allowed: false }
  }
  if (rule.collaborators && project.collaborates) return allowed
  return { allowed: passes(rule, caller, project.level, project.visibility) }
}

/**
 * Whether a feature is available to the caller. `private` restricts it to members, and the
 * repository and merge requests to Reporter and above.
 */
export function isFeatureAvailable(
  feature: ProjectFeature,
  caller: CallerFacts,
  project: ProjectFacts,
): boolean {
  const setting = project.features[feature]
  if (setting === 'disabled') return false
  if (feature !== 'repository' && dependsOnRepository.has(feature)) {
    if (!isFeatureAvailable('repository', caller, project)) return false
  }
  if (caller.admin) return true
  if (setting === 'enabled') return project.level > 0 || isOpenTo(caller, project.visibility)
  return project.level >= (feature === 'repository' || feature === 'merge_requests' ? 20 : 10)
}

const dependsOnRepository: ReadonlySet<ProjectFeature> = new Set(['merge_requests', 'builds'])

export const projectPolicy: SubjectPolicy<ProjectAbility, ProjectFacts> = {
  title: 'Project',
  rules: projectRules,
  decide: decideOnProject,
}
