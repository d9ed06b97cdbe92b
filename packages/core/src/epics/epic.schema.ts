export const epicStates = ['opened', 'closed'] as const
export type EpicState = (typeof epicStates)[number]
