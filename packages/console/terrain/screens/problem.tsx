export const Problem = ({ text }: { readonly text: string }) => (
  <main>
    <p class="box bad" role="alert">
      {text}
    </p>
  </main>
)
