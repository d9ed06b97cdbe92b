/** A deploy key. */
interface DeployKeyChange {
  keyId: number
  title: string
}

/** A deploy key in one project. */
interface ProjectDeployKeyChange extends DeployKeyChange {
  projectId: number
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'deploy_key.enabled': ProjectDeployKeyChange
    /** The title, or whether it may push. */
    'deploy_key.updated': ProjectDeployKeyChange
    'deploy_key.disabled': ProjectDeployKeyChange
    /** Every project may enable it from now on. */
    'public_deploy_key.created': DeployKeyChange
    /** No project has it any more. */
    'public_deploy_key.deleted': DeployKeyChange
  }
}

export {}
