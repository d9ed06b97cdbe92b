import { z } from 'zod'
import { LabelDetails } from '../labels/label.schema.ts'
import { Milestone } from '../milestones/milestone.schema.ts'
import { SimpleProject } from '../projects/project.schema.ts'
import { UserRef } from '../users/user.schema.ts'

/** A column of a board: of a label or, in the paid tiers, of an assignee or a milestone. */
export const BoardList = z.object({
  id: z.int(),
  label: LabelDetails.optional(),
  assignee: UserRef.optional(),
  milestone: Milestone.optional(),
  /** From 0. */
  position: z.int(),
})
export type BoardList = z.output<typeof BoardList>

/** A board of a project or of a group (catalogue: planning, 2). */
export const Board = z.object({
  id: z.int(),
  /** Null on boards of groups. */
  project: SimpleProject.nullable(),
  /** On boards of groups. */
  group: z.object({ id: z.int(), name: z.string(), web_url: z.string() }).optional(),
  lists: z.array(BoardList),
  /** This and what follows is left out in the community tier. */
  name: z.string().optional(),
  milestone: Milestone.nullable().optional(),
  assignee: UserRef.nullable().optional(),
  labels: z.array(LabelDetails).optional(),
  weight: z.int().nullable().optional(),
})
export type Board = z.output<typeof Board>
