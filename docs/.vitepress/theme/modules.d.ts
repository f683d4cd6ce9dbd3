// What the theme imports beside TypeScript: Vite turns it into modules.
declare module '*.vue' {
  import type { Component } from 'vue'

  const component: Component
  // oxlint-disable-next-line import/no-default-export -- a component's file exports it so
  export default component
}
declare module '*.css' {}
declare module 'vitepress/theme-without-fonts' {
  import type { Theme } from 'vitepress'

  const theme: Theme
  // oxlint-disable-next-line import/no-default-export -- as the package has it
  export default theme
}
