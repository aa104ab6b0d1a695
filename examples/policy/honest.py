page = tools.fetch("https://example.org/contact")
tools.send_mail(to="ann@example.org", body=page)
