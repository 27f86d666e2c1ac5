export const scripts = {
  bash: () => import('../../../../completions/lanyard.bash'),
  zsh: () => import('../../../../completions/lanyard.zsh'),
  fish: () => import('../../../../completions/lanyard.fish'),
  powershell: () => import('../../../../completions/lanyard.ps1'),
} as const;
