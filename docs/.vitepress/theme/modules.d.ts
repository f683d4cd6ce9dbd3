// What the theme imports beside TypeScript: Vite turns it into modules.
declare module '*.vue' {
  import type { Component } from 'vue'

  const component: Component
  export default component
}
declare module '*.css' {}
declare module 'vitepress/theme-without-fonts' {
  import type { Theme } from 'vitepress'

  const theme: Theme
  export default theme
}
