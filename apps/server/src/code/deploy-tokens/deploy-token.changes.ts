/** A deploy token; its secret is left out. */
interface DeployTokenChange {
  projectId: number
  tokenId: number
  name: string
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'deploy_token.created': DeployTokenChange
    'deploy_token.revoked': DeployTokenChange
  }
}

export {}
