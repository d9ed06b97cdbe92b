import { z } from 'zod'
import { SimpleProject } from '../../directory/projects/project.schema.ts'
import { UserRef } from '../../directory/users/user.schema.ts'
import { LabelDetails } from '../labels/label.schema.ts'
import { Milestone } from '../milestones/milestone.schema.ts'

/** A board list: for a label or, in paid tiers, for an assignee or a milestone. */
export const BoardList = z.object({
  id: z.int(),
  label: LabelDetails.optional(),
  assignee: UserRef.optional(),
  milestone: Milestone.optional(),
  /** Starts at 0. */
  position: z.int(),
})
export type BoardList = z.output<typeof BoardList>

/** A board of a project or group. */
export const Board = z.object({
  id: z.int(),
  /** Null for group boards. */
  project: SimpleProject.nullable(),
  /** For group boards. */
  group: z.object({ id: z.int(), name: z.string(), web_url: z.string() }).optional(),
  lists: z.array(BoardList),
  /** This and the following fields are omitted in the community tier. */
  name: z.string().optional(),
  milestone: Milestone.nullable().optional(),
  assignee: UserRef.nullable().optional(),
  labels: z.array(LabelDetails).optional(),
  weight: z.int().nullable().optional(),
})
export type Board = z.output<typeof Board>
