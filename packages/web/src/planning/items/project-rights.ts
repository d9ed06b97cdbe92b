import { AccessLevel, type Project } from '@stithy/core'
import { viewerLevel } from '../../directory/projects/project-place.ts'
import type { Viewer } from '../../platform/pages/page-call.ts'

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
  const isOpen = viewer !== null && project.archived !== true
  return rightsAt(viewerLevel(project, viewer), isOpen)
}

/** What an access level gives in a project or group, if it is open to changes of the viewer. */
export function rightsAt(level: number, isOpen: boolean): ProjectRights {
  return {
    maySpeak: isOpen,
    mayPlan: isOpen && level >= AccessLevel.reporter,
    mayDevelop: isOpen && level >= AccessLevel.developer,
    mayManage: isOpen && level >= AccessLevel.maintainer,
    mayOwn: isOpen && level >= AccessLevel.owner,
  }
}
