/** What lists with comments are asked for where only a line of each is shown: comments may be long. */
export const shortBodies = { max_body_length: 400 } as const
