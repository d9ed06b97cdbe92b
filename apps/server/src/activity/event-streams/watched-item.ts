/** An item whose changes are streamed. */
export interface WatchedItem {
  type: 'issue' | 'epic' | 'merge_request'
  id: number
}

/** The channel of an item: `issue:12`. */
export function channelOf(type: string, id: number): string {
  return `${type}:${id}`
}

/** The channel of changes of pipelines, whichever merge requests show them. */
export const pipelineChannel = 'pipelines'
