/** A message to everyone. */
interface BroadcastMessageChange {
  broadcastMessageId: number
  message: string
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'broadcast_message.created': BroadcastMessageChange
    'broadcast_message.updated': BroadcastMessageChange
    'broadcast_message.deleted': BroadcastMessageChange
  }
}

export {}
