import { commitPolicy } from '@stithy/core'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import { type SubjectRequest, subjectType } from '../../platform/http/subjects.ts'
import { requireCommit } from './commit.service.ts'

/** A commit of a project. */
export interface CommitSubject {
  type: 'commit'
  /** The full object id. */
  commitId: string
  /** The first line of its message. */
  title: string
  project: ProjectSubject
}

declare module '../../platform/http/subjects.ts' {
  interface Subjects {
    commit: CommitSubject
  }
}

/** The commit of `:sha`: a hash, a branch or a tag. */
export const commitSubjectType = subjectType({
  policy: commitPolicy,
  find,
  factsOf: ({ project }: CommitSubject) => ({ project: project.facts }),
})

async function find({
  app,
  params,
  parent: project,
}: SubjectRequest<ProjectSubject>): Promise<CommitSubject> {
  const { oid, title } = await requireCommit(app, project.row, String(params.sha))
  return { type: 'commit', commitId: oid, title, project }
}
