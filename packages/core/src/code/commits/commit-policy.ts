import {
  decideOnProject,
  type ProjectAbility,
  type ProjectFacts,
} from '../../directory/projects/project-policy.ts'
import type { CallerFacts } from '../../platform/access/caller.ts'
import { allowed, type Decision } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'

/** Rules for commits: those of the project, decided before git is queried. */
export const commitRules = {
  read_commit: { project: ['read_code'] },
  comment_on_commit: { project: ['read_code', 'comment_on_commit'] },
} as const satisfies Record<string, { project: readonly ProjectAbility[] }>

export type CommitAbility = keyof typeof commitRules

export function decideOnCommit(
  ability: CommitAbility,
  caller: CallerFacts,
  project: ProjectFacts,
): Decision {
  for (const needed of commitRules[ability].project) {
    const decision = decideOnProject(needed, caller, project)
    if (!decision.allowed) return decision
  }
  return allowed
}

export const commitPolicy: SubjectPolicy<CommitAbility, { project: ProjectFacts }> = {
  title: 'Commit',
  rules: commitRules,
  parent: 'project',
  onParent: (ability) => commitRules[ability].project,
  decide: (ability, caller, { project }) => decideOnCommit(ability, caller, project),
}
