// Says before an upload starts that it is too large. The server refuses it either way, but can do
// so only by breaking the connection off.
/** @type {HTMLFormElement} */
const form = document.querySelector("form[data-max-upload]");
const notice = document.getElementById("upload-too-large");

form.addEventListener("submit", (event) => {
  /** @type {HTMLInputElement} */
  const field = form.querySelector("input[type=file]");
  const files = [...field.files];
  const isTooLarge =
    files.reduce((sum, file) => sum + file.size, 0) > Number(form.dataset.maxUpload);
  notice.hidden = !isTooLarge;
  if (isTooLarge) event.preventDefault();
});
