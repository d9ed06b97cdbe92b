/** What lists of issues, merge requests, epics and milestones are asked for where no description is shown: they may be long. */
export const withoutDescriptions = { max_description_length: 0 } as const
