import type { Project } from '@stithy/core'
import { viewerLevel } from '../../directory/projects/project-place.ts'
import type { Viewer } from '../../platform/pages/page-call.ts'

/** Access level of those who plan. */
const reporter = 20

/** Access level of those who commit, and manage milestones. */
const developer = 30

/** Access level of those who manage a project. */
const maintainer = 40

/** Access level of those who may delete issues. */
const owner = 50

/** What the viewer may do in a project, as far as the answers of the API tell. */
export interface ProjectRights {
  /** Whether to offer what anyone who is signed in may do. */
  maySpeak: boolean
  /** Whether to offer changes of labels, boards and the like. */
  mayPlan: boolean
  /** Whether to offer changes of milestones. */
  mayDevelop: boolean
  mayManage: boolean
  mayOwn: boolean
}

export function projectRights(project: Project, viewer: Viewer | null): ProjectRights {
  const level = viewerLevel(project, viewer)
  const isOpen = viewer !== null && project.archived !== true
  return {
    maySpeak: isOpen,
    mayPlan: isOpen && level >= reporter,
    mayDevelop: isOpen && level >= developer,
    mayManage: isOpen && level >= maintainer,
    mayOwn: isOpen && level >= owner,
  }
}
